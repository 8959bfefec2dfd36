import { css, html, type TemplateResult } from "lit";
import type { PictureView } from "../login/view.ts";

/** A picture to read, which a click or a key enlarges. */
export function pictureTemplate({ url, alt, width, height }: PictureView, zoom: string): TemplateResult {
  const turn = ({ currentTarget }: Event) => {
    const button = currentTarget as HTMLButtonElement;
    button.ariaPressed = String(button.ariaPressed !== "true");
  };
  return html`<button type="button" class="picture" part="picture" aria-pressed="false" title=${zoom} @click=${turn}>
    <img src=${url} alt=${alt} width=${width} height=${height} />
  </button>`;
}

export const pictureStyles = css`
  /* Banks draw on white. */
  .picture,
  .picture:hover {
    background: #fff;
    border-color: var(--hairline);
    cursor: zoom-in;
    overflow: auto;
    padding: 0.5rem;
  }

  .picture img {
    block-size: auto;
    display: block;
    inline-size: auto;
    margin-inline: auto;
    max-block-size: 10rem;
    max-inline-size: 100%;
  }

  .picture[aria-pressed="true"] {
    cursor: zoom-out;
  }

  .picture[aria-pressed="true"] img {
    max-block-size: none;
    max-inline-size: none;
    min-inline-size: 100%;
  }
`;
