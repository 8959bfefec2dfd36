// The event says at which bank there is a session. Its key is on the server.
document.querySelector("bank-login").addEventListener("login", ({ detail }) => {
  document.querySelector("[role=status]").textContent = `Connected to ${detail.provider}.`;
});
