import { Component, provideZonelessChangeDetection } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { props } from "../set-up.ts";
import { LinkScreen } from "./link-screen.ts";

@Component({
  selector: "link-app",
  imports: [LinkScreen],
  template: `<main><link-screen [client]="props.client" [settings]="props.settings" /></main>`,
})
class LinkApp {
  protected readonly props = props;
}

bootstrapApplication(LinkApp, { providers: [provideZonelessChangeDetection()] });
