import { createBankClient, login } from "ventanilla";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";

const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });

const read = await client.getProvider("mirador_gt");
const outcome = await login(client, {
  provider: "mirador_gt",
  username: "captcha",
  password: "s3creto",
  ...(read.status === "success" && { detail: read.provider }), // names the choices
  onInteraction: (asked) => {
    switch (asked.kind) {
      case "picture":
        if (!asked.picture) return undefined; // can't be shown: cancels
        console.log(`${asked.picture.mediaType}, ${asked.picture.width} x ${asked.picture.height}`);
        return "7K4MP2"; // in production: show asked.picture.url, and ask the person
      case "choices":
        return asked.choices[0]?.value;
      case "confirmation":
        return asked.answer; // in production: once the person has confirmed in the bank's app
      case "code":
      case "question":
        return "8888"; // in production: ask the person, with asked.context
    }
  },
});
console.log(outcome.status);
await bank.close();
