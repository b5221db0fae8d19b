/** One step of an execution payload: the union of all canonical action types. */
import * as v from 'valibot'
import { ClearApp, CloseApp, OpenApp, OpenUri, UninstallApp } from './actions/app.ts'
import { Click, EnterText, PressKey, Swipe } from './actions/input.ts'
import { CancelToast, ClearOnScreenLog, SetOnScreenLog, ShowToast } from './actions/overlay.ts'
import { ReadKeyValuePair, ReadText, Snapshot, TakeScreenshot } from './actions/read.ts'
import { Scroll, ScrollAndClick, ScrollUntil } from './actions/scroll.ts'
import { Sleep, WaitForNavigation, WaitForNode } from './actions/wait.ts'

export const Action = v.variant('type', [
  OpenApp,
  OpenUri,
  CloseApp,
  UninstallApp,
  ClearApp,
  Click,
  Swipe,
  Scroll,
  ScrollUntil,
  ScrollAndClick,
  WaitForNode,
  WaitForNavigation,
  ReadText,
  ReadKeyValuePair,
  EnterText,
  PressKey,
  Snapshot,
  TakeScreenshot,
  Sleep,
  ShowToast,
  CancelToast,
  SetOnScreenLog,
  ClearOnScreenLog,
])
export type Action = v.InferOutput<typeof Action>
export type ActionInput = v.InferInput<typeof Action>
export type ActionType = Action['type']

export const ACTION_TYPES: readonly ActionType[] = Action.options.map(option => option.entries.type.literal)
