// A file of its own: the build puts `ws` into it, so that an application that embeds a login does not install it.
export { type WebSocket, WebSocketServer } from "ws";
