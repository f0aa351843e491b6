// @ts-check
/**
 * Asks as the server tells them, and what follows from them alone.
 *
 * Pure. Does not know who looks, what time it is, or how anything is shown.
 */

/** @typedef {{label: string, description?: string}} Option */
/** @typedef {{id: string, header: string, question: string, options: Option[], multiSelect: boolean}} Question */
/** @typedef {"pending" | "answered" | "skipped" | "expired" | "cancelled" | "undelivered"} Status */
/** @typedef {{name: string, channel: string, how?: string}} Settler */
/**
 * @typedef {object} Result
 * @property {string} status
 * @property {{answers: Record<string, string[]>}} [answers]
 * @property {string} [reason]
 * @property {Settler | null} [settledBy]
 * @property {string | null} [settledAt]
 * @property {string[]} [freeText]
 */
/**
 * @typedef {object} Ask
 * @property {string} id
 * @property {Status} status
 * @property {string} agent
 * @property {{id: string, title: string | null} | null} session
 * @property {string | null} context
 * @property {Question[]} questions
 * @property {string} createdAt
 * @property {string} deadline
 * @property {Result | null} result
 * @property {Settler | null} [settledBy]
 * @property {string | null} [settledAt]
 */
/** @typedef {{key: string, id: string | null, name: string, agent: string, newest: string, open: number}} Session */

/** @param {Ask} ask */
export function isOpen(ask) {
  return ask.status === "pending";
}

/**
 * What a timeline is kept by: the agent's session, or the agent where it named none.
 *
 * @param {Ask} ask
 */
export function sessionKey(ask) {
  return ask.session ? `session:${ask.session.id}` : `agent:${ask.agent}`;
}

/**
 * The id of the session in a key, if it is one.
 *
 * @param {string} key
 */
export function sessionId(key) {
  return key.startsWith("session:") ? key.slice("session:".length) : null;
}

/** @param {Ask} ask */
export function sessionName(ask) {
  return ask.session ? ask.session.title || ask.session.id : ask.agent;
}

/**
 * `known` with `told` in it. An ask that is over stays over, whatever an answer that was under way longer still says.
 *
 * @param {ReadonlyMap<string, Ask>} known
 * @param {readonly Ask[]} told
 * @returns {Map<string, Ask>}
 */
export function merge(known, told) {
  const merged = new Map(known);
  for (const ask of told) {
    const before = merged.get(ask.id);
    if (before && !isOpen(before) && isOpen(ask)) continue;
    merged.set(ask.id, ask);
  }
  return merged;
}

/**
 * Oldest first: ids sort by time of creation.
 *
 * @param {Iterable<Ask>} asks
 * @param {string | null} scope a session's key, or null for all
 */
export function inOrder(asks, scope) {
  const within = [...asks].filter((ask) => scope === null || sessionKey(ask) === scope);
  return within.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

/**
 * The sessions of these asks, the one with the latest ask first.
 *
 * @param {Iterable<Ask>} asks
 * @returns {Session[]}
 */
export function sessionsOf(asks) {
  /** @type {Map<string, Session>} */
  const found = new Map();
  for (const ask of inOrder(asks, null)) {
    const key = sessionKey(ask);
    const open = (found.get(key)?.open ?? 0) + (isOpen(ask) ? 1 : 0);
    const id = ask.session?.id ?? null;
    found.set(key, { key, id, name: sessionName(ask), agent: ask.agent, newest: ask.createdAt, open });
  }
  return [...found.values()].sort((a, b) => (a.newest < b.newest ? 1 : -1));
}

/**
 * Which ask is docked now. The one that is stays, as long as it is open and in sight; then comes the next one.
 *
 * @param {readonly Ask[]} open in order
 * @param {string | null} docked
 */
export function dockNext(open, docked) {
  if (open.some((ask) => ask.id === docked)) return docked;
  const after = docked === null ? undefined : open.find((ask) => ask.id > docked);
  return (after ?? open[0])?.id ?? null;
}
