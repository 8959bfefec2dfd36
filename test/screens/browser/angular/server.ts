import { provideZoneChangeDetection } from "@angular/core";
import { type BootstrapContext, bootstrapApplication, provideClientHydration } from "@angular/platform-browser";
import { provideServerRendering } from "@angular/platform-server";
import "zone.js/node";
import { LinkApp } from "./link-app.ts";

export default (context: BootstrapContext) =>
  bootstrapApplication(
    LinkApp,
    { providers: [provideZoneChangeDetection(), provideClientHydration(), provideServerRendering()] },
    context,
  );
