// @ts-check
/**
 * Reports that an ask was rendered where somebody can see it: in a page in front, and within its scroller.
 */

import { use, useEffect } from "./view.js";
import { link } from "./state.js";
import { seen } from "./sync.js";

/**
 * @param {import("./ask.js").Ask} ask
 * @param {{current: Element | null}} element that shows it
 */
export function useSeen(ask, element) {
  // A report that did not get through is made again with the next connection.
  const connection = use(link);
  useEffect(() => {
    if (!element.current || connection !== "open") return undefined;
    let inSight = false;
    const look = () => {
      if (inSight) void seen(ask);
    };
    const watch = new IntersectionObserver((entries) => {
      inSight = entries[entries.length - 1].isIntersecting;
      look();
    });
    watch.observe(element.current);
    document.addEventListener("visibilitychange", look);
    return () => {
      watch.disconnect();
      document.removeEventListener("visibilitychange", look);
    };
  }, [ask.id, connection]);
}
