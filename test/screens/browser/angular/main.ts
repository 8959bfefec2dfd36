import { createComponent, inputBinding, provideZonelessChangeDetection, type Type } from "@angular/core";
import { createApplication } from "@angular/platform-browser";
import { LinkScreen } from "../../../../docs/examples/angular/link-screen.ts";
import { LoginScreen } from "../../../../docs/examples/angular/login-screen.ts";
import { serveScreens } from "../harness.ts";

const application = createApplication({ providers: [provideZonelessChangeDetection()] });

serveScreens(async (root, { flow, ...shown }) => {
  const app = await application;
  const screen: Type<unknown> = flow === "link" ? LinkScreen : LoginScreen;
  const names = ["client", "username", "settings", ...(flow === "link" ? [] : ["provider", "detail"])];
  const component = createComponent(screen, {
    environmentInjector: app.injector,
    hostElement: root,
    bindings: names.map((name) => inputBinding(name, () => shown[name as keyof typeof shown])),
  });
  app.attachView(component.hostView);
  return () => {
    component.destroy();
    root.remove();
  };
});
