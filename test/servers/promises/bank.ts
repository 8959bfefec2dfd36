import { createSandbox } from "ventanilla/sandbox";
import { onTestFinished } from "vitest";
import { openService, promised, type Reply, respondAs } from "../../bank/service.ts";
import { API_KEY } from "../relay/stage.ts";

// Each of these words is in no other text, so that a test can look for it in everything that is written or sent.
const password = "cnrypassword62fe0b";
export const ANSWER = "cnryanswer9b07c1";
/** What the bank asks. */
export const QUESTION = "Which code did cnrybank27 send?";
const question = { field: "otp", context: QUESTION, answer: ANSWER };

/** What people type into the form of the bank. */
export const forms = {
  plain: { username: "cnryplain5a71d0", password },
  asked: { username: "cnryasked0c93e4", password },
  chooser: { username: "cnrychooser7d2b8", password },
  wrong: { username: "cnryplain5a71d0", password: "cnrywrong3e85fa" },
} as const;

export type Form = (typeof forms)[keyof typeof forms];

/** What no browser, no store and no log may have as it is. The bank's keys come to it during a login. */
export const typed = [password, ANSWER, ...Object.values(forms).map(({ username }) => username), forms.wrong.password];

export const BANK = "banco_canario";

export type Bank = Awaited<ReturnType<typeof startBank>>;

/** A bank on a port, which counts what it gets and responds when the test lets it. */
export async function startBank() {
  const sandbox = respondAs(
    createSandbox({
      apiKey: API_KEY,
      banks: [
        {
          code: BANK,
          country: "UY",
          name: "Banco Canario",
          auth_fields: [
            { name: "username", type: "text", interactive: false },
            { name: "password", type: "password", interactive: false },
            { name: "otp", type: "text", interactive: true },
          ],
          accounts: [
            forms.plain,
            { ...forms.asked, answers: [question] },
            { ...forms.chooser, clients: { 0: "Ana", 1: "Ana S.A." } },
          ],
        },
      ],
    }),
  );
  let held: Promise<void> | undefined;
  let release = () => {};
  const replies: Reply[] = [];
  const { close, ...service } = await openService(async (request) => {
    if (request.method !== "POST") return sandbox(request);
    await held;
    return replies.shift() ?? sandbox(request);
  });
  // A program ends when its last login has.
  onTestFinished(() => {
    release();
    return close();
  });
  return {
    url: service.url,
    /** The session keys that it has given out, also those of interactions. */
    keys: service.keys,
    requests: service.requests,
    /** The logins and answers that it has got. */
    posts: () => service.requests.filter(({ method }) => method === "POST"),
    /** Says this in place of the next response to a login. */
    respondOnce: (reply: Reply) => void replies.push(reply),
    /** From here on there is no connection to it. */
    close,
    arrival: service.arrival,
    /** Responds to no login before the function that it returns is called. */
    hold(): () => void {
      const { promise, keep } = promised();
      held = promise;
      release = keep;
      return keep;
    },
  };
}
