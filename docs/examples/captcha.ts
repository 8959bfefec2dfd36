import { createBankClient, login } from "ventanilla";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";

const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });

const read = await client.getProvider("mirador_gt");
const credentials = { provider: "mirador_gt", username: "captcha", password: "s3creto" };
const outcome = await login(client, credentials, {
  ...(read.status === "success" && { detail: read.provider }), // names the choices
  onInteraction: (interaction) => {
    switch (interaction.kind) {
      case "picture":
        if (!interaction.picture) return null; // can't be shown: cancels
        console.log(interaction.picture.mediaType);
        return "7K4MP2"; // in production: show interaction.picture.url, and ask the person
      case "choices":
        return interaction.choices[0]?.value ?? null;
      case "confirmation":
        return interaction.answer; // in production: once the person has confirmed in the bank's app
      case "code":
      case "question":
        return "8888"; // in production: ask the person, with interaction.context
    }
  },
});
console.log(outcome.state);
await bank.close();
