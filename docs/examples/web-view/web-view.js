const login = document.querySelector("bank-login");

// The app sets these in the address. It can change them later: document.querySelector("bank-login").locale = "pt".
const address = new URLSearchParams(location.search);
for (const name of ["provider", "country", "locale", "theme"]) {
  const value = address.get(name);
  if (value !== null) login.setAttribute(name, value);
}

/** Sends a message to the app, by the channel that it has opened. */
function tell(message) {
  const text = JSON.stringify(message);
  // Swift: WKUserContentController.add(_:name:)
  window.webkit?.messageHandlers?.ventanilla?.postMessage(text);
  // Kotlin: WebViewCompat.addWebMessageListener. Flutter: WebViewController.addJavaScriptChannel.
  window.ventanilla?.postMessage(text);
  // React Native: <WebView onMessage>
  window.ReactNativeWebView?.postMessage(text);
}

for (const type of ["login", "failure", "state", "cancel"]) {
  login.addEventListener(type, ({ detail }) => tell({ type, ...detail }));
}

// A keyboard that opens, or a rotation, must not hide the focused field.
window.visualViewport?.addEventListener("resize", () => {
  login.shadowRoot?.activeElement?.scrollIntoView({ block: "nearest" });
});
