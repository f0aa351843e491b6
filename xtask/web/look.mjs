// `node look.mjs PROGRAM OUT [KEPT]`: the panel as people see it, in pictures, and what axe and the scales say of it.
//
// Every state in light and dark, on a desktop and a phone, in English and Persian. All pictures go to OUT; the few that
// the documentation shows go to KEPT. Ends with 1 where axe finds anything serious, a picture that is kept is too large, or a
// page was not quiet.

import { mkdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { start } from "./askd.mjs";
import { askInVain, walk } from "./states.mjs";
import { weigh } from "./weigh.mjs";

const [program, out, kept] = process.argv.slice(2);
// The packages lie where the task runs this, not beside it.
const require = createRequire(join(process.cwd(), "look.mjs"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** As the stories start it. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-proxy-server",
];

const DEVICES = {
  desktop: { viewport: { width: 1120, height: 760 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

/** What the documentation shows, as `state-device-theme-language`. */
const KEPT = new Set([
  "one-question-desktop-light-en",
  "several-questions-desktop-dark-en",
  "folded-desktop-light-en",
  "timeline-desktop-light-en",
  "several-questions-phone-light-en",
  "one-question-phone-dark-fa",
  "one-ask-alone-desktop-light-fa",
]);
const MOST_BYTES = 100_000;
const GRAVE = new Set(["serious", "critical"]);

const faults = [];
const findings = new Map();

/** What axe says of the page as it is. */
async function examine(page, where) {
  const results = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  for (const { id, impact, help, nodes } of results.violations) {
    const finding = findings.get(id) ?? { rule: id, impact, help, states: new Set(), first: nodes[0].html.slice(0, 200) };
    finding.states.add(where);
    findings.set(id, finding);
    if (GRAVE.has(impact)) faults.push(`axe: ${id} (${impact}) in ${where}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary ?? ""}`);
  }
}

function listen(page, url, where) {
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) faults.push(`${where}: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`${where}: ${error}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) faults.push(`${where}: asked for ${request.url()}`);
  });
}

async function picture(browser, { askd, device, theme, language }) {
  const set = [device, theme, language].join("-");
  const context = await browser.newContext({
    ...DEVICES[device],
    colorScheme: theme,
    locale: language === "fa" ? "fa-IR" : "en-GB",
    timezoneId: language === "fa" ? "Asia/Tehran" : "Europe/Berlin",
    reducedMotion: "reduce",
  });
  await context.addInitScript({ content: axe });
  const page = await context.newPage();
  listen(page, askd.url, set);
  let examined = 0;
  try {
    await walk({
      askd,
      page,
      language,
      touch: device === "phone",
      look: async (state) => {
        const name = `${state}-${set}`;
        const path = join(kept && KEPT.has(name) ? kept : out, `${name}.png`);
        await page.screenshot({ path, animations: "disabled", caret: "hide" });
        if (kept && KEPT.has(name) && statSync(path).size > MOST_BYTES) {
          faults.push(`${path} has ${statSync(path).size} bytes`);
        }
        await examine(page, name);
        examined += 1;
      },
    });
  } catch (error) {
    await page.screenshot({ path: join(out, `FAILED-${set}.png`) });
    throw new Error(`${set}: ${error.message}`, { cause: error });
  } finally {
    await context.close();
  }
  return examined;
}

mkdirSync(out, { recursive: true });
if (kept) mkdirSync(kept, { recursive: true });
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ARGUMENTS });
try {
  const sets = [];
  for (const device of Object.keys(DEVICES)) {
    for (const theme of ["light", "dark"]) {
      for (const language of ["en", "fa"]) {
        const askd = await start(program);
        sets.push({ askd, device, theme, language, vain: await askInVain(askd, language) });
      }
    }
  }
  // The shortest that an ask waits is half a minute, which the scales fill.
  const empty = await start(program);
  console.log("\nWhat the page costs, medians of 5:");
  console.table(await weigh(browser, empty));
  empty.stop();
  for (const { askd, vain } of sets) {
    while ((await askd.operator("GET", `/v1/asks/${vain}?wait=55`)).status === "pending");
  }
  let examined = 0;
  for (const set of sets) {
    examined += await picture(browser, set);
    set.askd.stop();
  }
  console.log(`\naxe looked at ${examined} states; findings: ${findings.size}`);
  for (const { rule, impact, help, states, first } of findings.values()) {
    console.log(`${impact}: ${rule}: ${help}\n  in ${states.size} states, first ${[...states][0]}: ${first}`);
  }
} finally {
  await browser.close();
}
if (faults.length > 0) {
  console.error(`\nfaults: ${faults.length}\n${[...new Set(faults)].join("\n")}`);
}
process.exit(faults.length > 0 ? 1 : 0);
