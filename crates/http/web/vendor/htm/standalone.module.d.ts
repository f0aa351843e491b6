// What the panel uses of htm/preact/standalone. Our own: the package declares these by way of Preact's package, which
// is not here.

/** A rendered description of a piece of page. */
export interface VNode {
  type: unknown;
  props: Record<string, unknown>;
  key: unknown;
}

/** What a component may return. */
export type Child = VNode | string | number | boolean | null | undefined | Child[];

export function h(type: unknown, props: Record<string, unknown> | null, ...children: Child[]): VNode;
export function html(strings: TemplateStringsArray, ...values: unknown[]): VNode;
export function render(tree: Child, parent: Element): void;
export function useState<T>(initial: T | (() => T)): [T, (next: T | ((now: T) => T)) => void];
export function useEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useRef<T>(initial: T): { current: T };
export function useMemo<T>(make: () => T, inputs?: readonly unknown[]): T;
