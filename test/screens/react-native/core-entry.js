// The set-up of React Native before an app: timers, and its classes of the web.
import "react-native/Libraries/Core/setUpGlobals";
import "react-native/Libraries/Core/setUpTimers";
import "react-native/Libraries/Core/setUpXHR";
import RCTDeviceEventEmitter from "react-native/Libraries/EventEmitter/RCTDeviceEventEmitter";
import * as ventanilla from "ventanilla";
import * as react from "ventanilla/react";
import { createActor } from "xstate";

globalThis.core = { ...ventanilla, ...react, createActor };
globalThis.emitDeviceEvent = (name, body) => RCTDeviceEventEmitter.emit(name, body);
