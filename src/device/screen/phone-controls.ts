/** Gestures, keys and system windows that the host handles over the link; an operator app has none of them. */
import type { Shade } from '../../contracts/actions/system.ts'
import type { Point } from '../../contracts/device/ui-tree.ts'
import type { StepContext } from './context.ts'
import { StepFailure } from './step-failure.ts'

export interface DragTimes {
  /** The finger rests so long before it moves. */
  holdMs: number
  durationMs: number
}

/** So long after it came down. */
export interface FingerPlace extends Point {
  ms: number
}

/** A refusal of the device is thrown as a StepFailure with its reason. */
export interface PhoneControls {
  doubleTap(point: Point): Promise<unknown>
  drag(start: Point, end: Point, times: DragTimes): Promise<unknown>
  pinch(centre: Point, scale: number, durationMs: number): Promise<unknown>
  /** The places of each finger; all come down and go up together. */
  moveFingers(fingers: readonly (readonly FingerPlace[])[]): Promise<unknown>
  /** By Android's name in lower case, without KEYCODE_. */
  pressKey(name: string, isLong: boolean): Promise<unknown>
  /** Presses the key that erases before the cursor so many times. */
  erase(characters: number): Promise<unknown>
  isKeyboardShown(): Promise<boolean>
  expandShade(shade: Shade): Promise<unknown>
  collapseShade(): Promise<unknown>
  isShadeOpen(): Promise<boolean>
}

type Guard = <A extends unknown[], T>(call: (...args: A) => Promise<T>) => (...args: A) => Promise<T>

export const guardedControls = (controls: PhoneControls, guard: Guard): PhoneControls => ({
  doubleTap: guard(point => controls.doubleTap(point)),
  drag: guard((start, end, times) => controls.drag(start, end, times)),
  pinch: guard((centre, scale, durationMs) => controls.pinch(centre, scale, durationMs)),
  moveFingers: guard(fingers => controls.moveFingers(fingers)),
  pressKey: guard((name, isLong) => controls.pressKey(name, isLong)),
  erase: guard(characters => controls.erase(characters)),
  isKeyboardShown: guard(() => controls.isKeyboardShown()),
  expandShade: guard(shade => controls.expandShade(shade)),
  collapseShade: guard(() => controls.collapseShade()),
  isShadeOpen: guard(() => controls.isShadeOpen()),
})

export const controlsOf = ({ driver }: StepContext): PhoneControls => {
  if (driver.controls) return driver.controls
  throw new StepFailure('EXECUTION_ACTION_UNSUPPORTED', 'only the host can perform this action')
}
