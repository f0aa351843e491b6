// The real program in a home of its own, with asks in the language of the people who look at them.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** For anything that askd does by itself, in ms. */
const PATIENCE = 60_000;

const CONFIGURATION = `
[people.sara]
name = "Sara"
[people.omid]
name = "Omid"
[tokens.build-bot]
role = "agent"
token = "the-build-bot-of-these-pictures"
[tokens.omid]
role = "person"
person = "omid"
token = "omid-on-another-surface-of-these-pictures"
`;

/** A daemon that runs; `stop` ends it and removes all it wrote. */
export async function start(program) {
  const home = mkdtempSync(join(tmpdir(), "askd-web-"));
  mkdirSync(join(home, ".config/askd"), { recursive: true });
  writeFileSync(join(home, ".config/askd/config.toml"), CONFIGURATION);
  const environment = { env: { HOME: home }, cwd: home };
  const child = spawn(program, ["serve", "--json", "--listen", "127.0.0.1:0"], {
    ...environment,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const stop = () => {
    child.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  };
  process.on("exit", stop);
  const lines = createInterface({ input: child.stdout });
  const first = await new Promise((resolve, reject) => {
    lines.once("line", resolve);
    child.once("exit", (code) => reject(new Error(`askd ended with ${code}`)));
  });
  const { url } = JSON.parse(first);
  const secret = (name) => readFileSync(join(home, `.local/state/askd/${name}.token`), "utf8").trim();
  const caller = (token) => (method, path, body) => call(url, token, method, path, body);
  return {
    url,
    agent: caller("the-build-bot-of-these-pictures"),
    omid: caller("omid-on-another-surface-of-these-pictures"),
    operator: caller(secret("operator")),
    /** A link that signs a person in once; without a name, the operator. */
    link(person) {
      const left = spawnSync(program, ["pair", ...(person ? [person] : []), "--web"], { ...environment, encoding: "utf8" });
      const link = /https?:\/\/\S+\/sign-in#[\w-]+/.exec(left.stdout);
      if (!link) throw new Error(`no link to sign in with: ${left.stdout}${left.stderr}`);
      return link[0];
    },
    stop,
  };
}

async function call(url, token, method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { "content-type": "application/json" } : {}) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : null;
}

const question = (id, header, text, options, multiSelect = false) => ({
  id,
  header,
  question: text,
  options: options.map(([label, description]) => ({ label, ...(description ? { description } : {}) })),
  multiSelect,
});

/** What is asked in the pictures. */
export const ASKS = {
  en: {
    session: { id: "shop", title: "Online shop" },
    one: {
      context: "The build is **green** and all 412 tests pass. Staging resets every night; Production is what customers see.",
      questions: [
        question("deploy_target", "Target", "The build is green. Where should it go?", [
          ["Staging (Recommended)", "Safe, resets nightly"],
          ["Production", "Customers see it at once"],
          ["Nowhere yet"],
        ]),
      ],
    },
    several: {
      questions: [
        question("database", "Database", "Which database should the new service use?", [
          ["PostgreSQL (Recommended)", "What the other services use"],
          ["SQLite", "No server to look after"],
        ]),
        question("alerts", "Alerts", "Who should hear about it when the night build fails?", [
          ["Operations"],
          ["Developers"],
          ["Only whoever broke it", "By the author of the commit"],
        ], true),
      ],
    },
    chosen: "the neighbours",
    night: { questions: [question("night", "Backup", "Tonight's backup is large. Keep two weeks or four?", [["Two weeks"], ["Four weeks"]])] },
    words: "Four, but delete the logs first",
    cancelled: { questions: [question("name", "Name", "What should the new branch be called?", [["checkout-2"], ["new-checkout"]])] },
    skipped: { questions: [question("colour", "Colour", "Which blue should the button have?", [["Dark"], ["Light"]])] },
    rich: {
      context:
        "## What I found\n\nThe import fails for **3 of 1,204** rows:\n\n1. two have no postcode\n2. one has the date `31-02-2026`\n\n" +
        "```sql\nSELECT id FROM rows WHERE postcode IS NULL;\n```\n\n> The supplier says they can send the file again tomorrow.\n\n" +
        "See the [report](https://example.org/report).",
      questions: [
        question("rows", "Import", "What should happen with the three rows?", [
          ["Leave them out (Recommended)", "And list them in the report"],
          ["Wait for the new file", "The import runs tomorrow"],
          ["Guess the values"],
        ]),
      ],
    },
    reply: "7",
  },
  fa: {
    session: { id: "shop", title: "فروشگاه اینترنتی" },
    one: {
      context: "ساخت **موفق** بود و هر ۴۱۲ آزمون گذشت. محیط آزمایشی هر شب از نو ساخته می‌شود؛ محیط اصلی همان است که مشتریان می‌بینند.",
      questions: [
        question("deploy_target", "مقصد", "ساخت موفق بود. کجا منتشر شود؟", [
          ["آزمایشی (توصیه‌شده)", "امن، هر شب از نو"],
          ["اصلی", "مشتریان بی‌درنگ می‌بینند"],
          ["فعلاً هیچ‌جا"],
        ]),
      ],
    },
    several: {
      questions: [
        question("database", "پایگاه", "سرویس تازه از کدام پایگاه داده استفاده کند؟", [
          ["PostgreSQL (توصیه‌شده)", "همان که سرویس‌های دیگر دارند"],
          ["SQLite", "بدون سرور"],
        ]),
        question("alerts", "هشدار", "اگر ساخت شبانه شکست بخورد، چه کسی خبردار شود؟", [
          ["عملیات"],
          ["توسعه‌دهندگان"],
          ["فقط کسی که خرابش کرده", "از روی نویسندهٔ کامیت"],
        ], true),
      ],
    },
    chosen: "همسایه‌ها",
    night: { questions: [question("night", "پشتیبان", "پشتیبان امشب بزرگ است. دو هفته نگه داریم یا چهار؟", [["دو هفته"], ["چهار هفته"]])] },
    words: "چهار، اما اول گزارش‌ها را پاک کن",
    cancelled: { questions: [question("name", "نام", "شاخهٔ تازه چه نام بگیرد؟", [["checkout-2"], ["new-checkout"]])] },
    skipped: { questions: [question("colour", "رنگ", "دکمه چه آبی‌ای داشته باشد؟", [["تیره"], ["روشن"]])] },
    rich: {
      context:
        "## چه یافتم\n\nورود داده برای **۳ ردیف از ۱۲۰۴** شکست می‌خورد:\n\n1. دو ردیف کدپستی ندارند\n2. یکی تاریخ `31-02-2026` دارد\n\n" +
        "```sql\nSELECT id FROM rows WHERE postcode IS NULL;\n```\n\n> فروشنده می‌گوید فردا پرونده را دوباره می‌فرستد.\n\n" +
        "[گزارش](https://example.org/report) را ببینید.",
      questions: [
        question("rows", "ورود داده", "با این سه ردیف چه کنیم؟", [
          ["کنار گذاشته شوند (توصیه‌شده)", "و در گزارش بیایند"],
          ["منتظر پروندهٔ تازه بمان", "ورود داده فردا اجرا می‌شود"],
          ["مقدارها را حدس بزن"],
        ]),
      ],
    },
    reply: "۷",
  },
};
