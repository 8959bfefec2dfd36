import { AppRegistry } from "react-native";
import { App } from "./App";
import { name } from "./app.json";

// In an Expo app: registerRootComponent(App).
AppRegistry.registerComponent(name, () => App);
