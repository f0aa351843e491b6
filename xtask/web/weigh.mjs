// What the page costs: bytes, requests, and the time until it takes input.

import { ready } from "./states.mjs";

const TIMES = 5;

/** Notes when the page says that it is ready; runs before anything of the page's. */
const NOTE = () => {
  const look = () => {
    if (globalThis.askdReady === undefined && document.body?.hasAttribute("data-ready")) {
      globalThis.askdReady = performance.now();
    }
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
};

async function visit(context, url) {
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  const sizes = new Map();
  let live = null;
  network.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (request.url.endsWith("/v1/events")) live = requestId;
    else sizes.set(requestId, 0);
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (requestId !== live) sizes.set(requestId, encodedDataLength);
  });
  await page.addInitScript(NOTE);
  await page.goto(url);
  await ready(page);
  // Nothing is left under way but the events, which never end.
  await page.waitForFunction(() => globalThis.askdReady !== undefined);
  const { interactive, painted } = await page.evaluate(() => ({
    interactive: globalThis.askdReady,
    painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  }));
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const requests = sizes.size + (live === null ? 0 : 1);
  await page.close();
  return { bytes, requests, interactive, painted };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** The medians of some first visits and some second ones. */
export async function weigh(browser, askd) {
  const first = [];
  const second = [];
  for (let time = 0; time < TIMES; time += 1) {
    const context = await browser.newContext({ locale: "en-US" });
    const page = await context.newPage();
    await page.goto(askd.link("sara"));
    await ready(page);
    const cookies = await context.cookies();
    await context.close();
    // Signed in, and with nothing in its cache.
    const fresh = await browser.newContext({ locale: "en-US" });
    await fresh.addCookies(cookies);
    first.push(await visit(fresh, askd.url));
    second.push(await visit(fresh, askd.url));
    await fresh.close();
  }
  const row = (visits) => ({
    "KiB over the wire": Number((median(visits.map((it) => it.bytes)) / 1024).toFixed(1)),
    requests: median(visits.map((it) => it.requests)),
    "first paint, ms": Math.round(median(visits.map((it) => it.painted))),
    "takes input, ms": Math.round(median(visits.map((it) => it.interactive))),
  });
  return { "first visit": row(first), "second visit": row(second) };
}
