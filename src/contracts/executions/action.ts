/** One step of an execution payload: the union of all canonical action types. */
import * as v from 'valibot'
import * as app from '../actions/app.ts'
import * as file from '../actions/file.ts'
import * as gesture from '../actions/gesture.ts'
import * as input from '../actions/input.ts'
import * as overlay from '../actions/overlay.ts'
import * as page from '../actions/page.ts'
import * as phone from '../actions/phone.ts'
import * as read from '../actions/read.ts'
import * as scroll from '../actions/scroll.ts'
import * as setting from '../actions/setting.ts'
import * as system from '../actions/system.ts'
import * as wait from '../actions/wait.ts'

export const Action = v.variant('type', [
  app.OpenApp,
  app.OpenUri,
  app.CloseApp,
  app.InstallApp,
  app.UninstallApp,
  app.ClearApp,
  file.PushFile,
  file.PullFile,
  file.RemoveFile,
  file.AddMedia,
  app.SetPermission,
  setting.ChangeSetting,
  setting.RestoreSettings,
  app.MeasureStartup,
  input.Click,
  gesture.DoubleTap,
  input.Swipe,
  gesture.Drag,
  gesture.Pinch,
  gesture.MoveFingers,
  scroll.Scroll,
  scroll.ScrollUntil,
  scroll.ScrollAndClick,
  wait.WaitForNode,
  wait.WaitForNavigation,
  wait.WaitForIdle,
  read.ReadText,
  read.ReadKeyValuePair,
  input.EnterText,
  input.EraseText,
  input.PressKey,
  system.HideKeyboard,
  system.ExpandShade,
  system.CollapseShade,
  system.AnswerDialog,
  phone.GetClipboard,
  phone.SetClipboard,
  phone.Shell,
  page.ReadPage,
  page.ChangePage,
  page.PageScript,
  read.Snapshot,
  read.TakeScreenshot,
  wait.Sleep,
  overlay.ShowToast,
  overlay.CancelToast,
  overlay.SetOnScreenLog,
  overlay.ClearOnScreenLog,
])
export type Action = v.InferOutput<typeof Action>
export type ActionInput = v.InferInput<typeof Action>
export type ActionType = Action['type']

export const ACTION_TYPES: readonly ActionType[] = Action.options.map(option => option.entries.type.literal)
