// A file of its own: the build puts `ws` into it, so that whoever embeds a login installs no server.
export { type WebSocket, WebSocketServer } from "ws";
