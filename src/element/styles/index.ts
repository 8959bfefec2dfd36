import { card } from "./card.ts";
import { controls } from "./controls.ts";
import { steps } from "./steps.ts";
import { theme } from "./theme.ts";

/** The look of the component. */
export const styles = [theme, card, controls, steps];
