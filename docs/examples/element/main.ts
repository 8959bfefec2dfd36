import { defineBankLogin } from "ventanilla/element";

defineBankLogin();

// The event says at which bank there is a session. Its key is on the server.
document.querySelector("bank-login")?.addEventListener("login", ({ detail }) => {
  const status = document.querySelector("main > [role=status]");
  if (status) status.textContent = `Session at ${detail.provider}.`;
});
