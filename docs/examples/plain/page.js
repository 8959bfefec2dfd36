// The page hears that there is a session; the server has its key.
document.querySelector("bank-login")?.addEventListener("login", ({ detail }) => {
  const status = document.querySelector("[role=status]");
  if (status) status.textContent = `Session at ${detail.provider}.`;
});
