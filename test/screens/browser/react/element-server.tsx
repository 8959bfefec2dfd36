import { renderToString } from "react-dom/server";
import { ElementPage } from "./element-page.tsx";

/** The component as a server sends it. */
export async function render(): Promise<string> {
  return renderToString(<ElementPage />);
}
