/** One step of an execution payload: the union of all canonical action types. */
import * as v from 'valibot'
import {
  ClearApp,
  CloseApp,
  InstallApp,
  MeasureStartup,
  OpenApp,
  OpenUri,
  SetPermission,
  UninstallApp,
} from '../actions/app.ts'
import { AddMedia, PullFile, PushFile, RemoveFile } from '../actions/file.ts'
import { DoubleTap, Drag, MoveFingers, Pinch } from '../actions/gesture.ts'
import { Click, EnterText, EraseText, PressKey, Swipe } from '../actions/input.ts'
import { CancelToast, ClearOnScreenLog, SetOnScreenLog, ShowToast } from '../actions/overlay.ts'
import { ChangePage, PageScript, ReadPage } from '../actions/page.ts'
import { GetClipboard, SetClipboard, Shell } from '../actions/phone.ts'
import { ReadKeyValuePair, ReadText, Snapshot, TakeScreenshot } from '../actions/read.ts'
import { Scroll, ScrollAndClick, ScrollUntil } from '../actions/scroll.ts'
import { ChangeSetting, RestoreSettings } from '../actions/setting.ts'
import { AnswerDialog, CollapseShade, ExpandShade, HideKeyboard } from '../actions/system.ts'
import { Sleep, WaitForIdle, WaitForNavigation, WaitForNode } from '../actions/wait.ts'

export const Action = v.variant('type', [
  OpenApp,
  OpenUri,
  CloseApp,
  InstallApp,
  UninstallApp,
  ClearApp,
  PushFile,
  PullFile,
  RemoveFile,
  AddMedia,
  SetPermission,
  ChangeSetting,
  RestoreSettings,
  MeasureStartup,
  Click,
  DoubleTap,
  Swipe,
  Drag,
  Pinch,
  MoveFingers,
  Scroll,
  ScrollUntil,
  ScrollAndClick,
  WaitForNode,
  WaitForNavigation,
  WaitForIdle,
  ReadText,
  ReadKeyValuePair,
  EnterText,
  EraseText,
  PressKey,
  HideKeyboard,
  ExpandShade,
  CollapseShade,
  AnswerDialog,
  GetClipboard,
  SetClipboard,
  Shell,
  ReadPage,
  ChangePage,
  PageScript,
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
