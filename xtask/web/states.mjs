// The states of the panel that people look at, one after the other in one browser.

import { ASKS } from "./askd.mjs";

/** What the page promises its tests. */
export const on = (name) => `[data-askd="${name}"]`;

/** For how long after an ask has docked by itself keys and clicks are not taken for it, in ms; see app/state.js. */
const SURPRISE = 600;

/** Waits until the page has everything and hears of what happens. */
export async function ready(page) {
  await page.locator("body[data-ready]").waitFor();
}

/** Asks what nobody will answer; it is over after 30 s. Somebody has seen it, so it expires. */
export async function askInVain(askd, language) {
  const asks = ASKS[language];
  const { id } = await askd.agent("POST", "/v1/asks", { ...asks.night, session: asks.session, timeoutSeconds: 30 });
  await askd.operator("POST", `/v1/asks/${id}/seen`);
  return id;
}

/**
 * Goes through all states, and calls `look(name)` in each.
 *
 * `signedIn` is called at the beginning with a page that shows how to sign in.
 */
export async function walk({ askd, page, language, touch, look }) {
  const asks = ASKS[language];
  const ask = async (body) => (await askd.agent("POST", "/v1/asks", { ...body, session: asks.session })).id;
  const docked = async (id) => {
    await page.locator(`${on("panel")}[data-ask="${id}"]`).waitFor();
    await page.waitForTimeout(SURPRISE);
  };
  const press = (css) => (touch ? page.tap(css) : page.click(css));
  const option = (question, index) => `${on("panel")} [data-question="${question}"] ${on("option")}[data-index="${index}"]`;
  const ended = (id) => page.locator(`${on("entry")}[data-ask="${id}"]:not([data-status="pending"])`).waitFor();

  await page.goto(askd.url);
  await page.locator(on("sign-in")).waitFor();
  await look("sign-in");

  await page.goto(askd.link("sara"));
  await ready(page);
  await look("nothing-open");

  const one = await ask(asks.one);
  await docked(one);
  await look("one-question");
  await press(option("deploy_target", 0));
  await look("chosen");
  await press(on("collapse"));
  await page.fill(on("composer-text"), asks.reply);
  await press(on("composer-send"));
  await page.locator(on("receipt")).waitFor();
  await look("folded");
  await press(on("expand"));
  await press(`${on("panel")} ${on("submit")}`);
  await ended(one);

  const several = await ask(asks.several);
  await docked(several);
  await press(option("database", 0));
  if (!touch) await press(`${on("panel")} ${on("next")}`);
  await press(option("alerts", 1));
  await page.fill(`${on("panel")} [data-question="alerts"] ${on("other")}`, asks.chosen);
  await look("several-questions");

  const second = await ask(asks.rich);
  await page.locator(on("next-ask")).waitFor();
  await look("several-asks");
  await press(`${on("panel")} ${on("submit")}`);
  await ended(several);

  await page.goto(`${askd.url}/ask/${second}`);
  await ready(page);
  await docked(second);
  await look("one-ask-alone");
  await askd.omid("POST", `/v1/asks/${second}/answers`, { answers: { rows: [asks.rich.questions[0].options[1].label] } });
  await ended(second);
  await look("answered-elsewhere");

  for (const [body, end] of [
    [asks.cancelled, (id) => askd.agent("POST", `/v1/asks/${id}/cancel`)],
    [asks.skipped, (id) => askd.omid("POST", `/v1/asks/${id}/skip`)],
    [asks.night, (id) => askd.omid("POST", `/v1/asks/${id}/answers`, { answers: { night: [asks.words] } })],
  ]) {
    await end(await ask(body));
  }
  await page.goto(askd.url);
  await ready(page);
  await page.locator(`${on("entry")}[data-status="skipped"]`).waitFor();
  await look("timeline");
}
