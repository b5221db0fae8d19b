/** The commands of a flow as they are performed: every expression evaluated, every default in place. */
import type { FlowSelector } from '../../../contracts/flows/flow-selector.ts'
import type { CommandKey } from './command-table.ts'
import type { Params } from './params.ts'

/** Line and column count from 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A point of the screen, or of the element that is named with it. */
export interface FlowPoint {
  readonly x: number
  readonly y: number
  readonly unit: 'percent' | 'pixel'
}

export type SwipeDirection = 'up' | 'down' | 'left' | 'right'
export type PermissionStates = Readonly<Record<string, 'allow' | 'deny' | 'unset'>>
export type LaunchArguments = Readonly<Record<string, string | number | boolean>>

export interface TapParams {
  readonly selector?: FlowSelector | undefined
  /** The point lies on the node of the selector, or on the screen where there is none. */
  readonly point?: FlowPoint | undefined
  readonly repeat: number
  readonly delayMs: number
  readonly retryIfNoChange: boolean
  readonly waitUntilVisible: boolean
  readonly settleMs?: number | undefined
}

/** Holds where all that is given holds. */
export interface Condition {
  readonly platform?: 'android' | 'ios' | 'web' | undefined
  readonly visible?: FlowSelector | undefined
  readonly notVisible?: FlowSelector | undefined
  /** The value of the expression, by the rules of assertTrue. */
  readonly isTrue?: boolean | undefined
}

/**
 * Nested commands stay as parsed: their expressions are evaluated when their turn comes.
 * Conditions are settled on their own, before the rest of their command and before each round of a `repeat`.
 */
export type Action =
  | {
      readonly name: 'launchApp'
      readonly appId: string
      readonly clearState: boolean
      readonly clearKeychain: boolean
      readonly stopApp: boolean
      readonly permissions: PermissionStates
      readonly arguments: LaunchArguments
    }
  | { readonly name: 'stopApp' | 'killApp' | 'clearState'; readonly appId: string }
  | { readonly name: 'clearKeychain' }
  | { readonly name: 'setPermissions'; readonly appId: string; readonly permissions: PermissionStates }
  | { readonly name: 'openLink'; readonly link: string; readonly browser: boolean; readonly autoVerify: boolean }
  | ({ readonly name: 'tapOn' | 'doubleTapOn' | 'longPressOn' } & TapParams)
  | {
      readonly name: 'swipe'
      readonly by:
        | { readonly direction: SwipeDirection }
        | { readonly start: FlowPoint; readonly end: FlowPoint }
        | {
            readonly from: FlowSelector
            readonly direction: SwipeDirection
            readonly point?: FlowPoint | undefined
          }
      readonly durationMs: number
      readonly settleMs?: number | undefined
    }
  | { readonly name: 'scroll' }
  | {
      readonly name: 'scrollUntilVisible'
      readonly selector: FlowSelector
      readonly direction: SwipeDirection
      readonly timeoutMs: number
      readonly speed: number
      readonly visibilityPercentage: number
      readonly centerElement: boolean
      readonly settleMs?: number | undefined
    }
  | { readonly name: 'inputText'; readonly text: string }
  | {
      readonly name: 'inputRandom'
      readonly kind: 'text' | 'number' | 'email' | 'personName' | 'cityName' | 'countryName' | 'colorName'
      readonly length: number
    }
  | { readonly name: 'eraseText'; readonly characters: number }
  | { readonly name: 'copyTextFrom'; readonly selector: FlowSelector }
  | { readonly name: 'pasteText' }
  | { readonly name: 'setClipboard'; readonly text: string }
  | { readonly name: 'hideKeyboard' | 'back' | 'assertDarkMode' | 'assertLightMode' }
  /** A key of Android without KEYCODE_, in lower case with underscores. */
  | { readonly name: 'pressKey'; readonly key: string }
  | { readonly name: 'assertVisible' | 'assertNotVisible'; readonly selector: FlowSelector }
  | { readonly name: 'assertTrue'; readonly holds: boolean; readonly written: string }
  | {
      readonly name: 'extendedWaitUntil'
      readonly visible?: FlowSelector | undefined
      readonly notVisible?: FlowSelector | undefined
      readonly timeoutMs?: number | undefined
    }
  | {
      readonly name: 'assertScreenshot'
      readonly path: string
      readonly thresholdPercentage: number
      readonly cropOn?: FlowSelector | undefined
    }
  | { readonly name: 'waitForAnimationToEnd'; readonly timeoutMs: number }
  | { readonly name: 'takeScreenshot'; readonly path: string; readonly cropOn?: FlowSelector | undefined }
  | { readonly name: 'startRecording'; readonly path: string }
  | { readonly name: 'stopRecording' }
  | { readonly name: 'setLocation'; readonly latitude: number; readonly longitude: number }
  | {
      readonly name: 'travel'
      readonly points: readonly { readonly latitude: number; readonly longitude: number }[]
      readonly metersPerSecond: number
    }
  | {
      readonly name: 'setOrientation'
      readonly orientation: 'portrait' | 'landscape_left' | 'landscape_right' | 'upside_down'
    }
  | { readonly name: 'setAirplaneMode' | 'setDarkMode'; readonly enabled: boolean }
  | { readonly name: 'toggleAirplaneMode' | 'toggleDarkMode' }
  /** Absolute paths. */
  | { readonly name: 'addMedia'; readonly files: readonly string[] }
  | {
      readonly name: 'runFlow'
      /** The file's own flow; without it, the commands that stand in place. */
      readonly flow?: Flow | undefined
      readonly commands: readonly Command[]
      readonly env: Readonly<Record<string, string>>
    }
  | {
      readonly name: 'repeat'
      /** Undefined: as often as the condition holds. */
      readonly times?: number | undefined
      readonly commands: readonly Command[]
    }
  | {
      readonly name: 'retry'
      readonly maxRetries: number
      readonly flow?: Flow | undefined
      readonly commands: readonly Command[]
      readonly env: Readonly<Record<string, string>>
    }
  | {
      readonly name: 'runScript'
      /** Absolute path of the script. */
      readonly file: string
      readonly source: string
      readonly env: Readonly<Record<string, string>>
    }
  /** A text whose `${...}` are still to be evaluated: that is all it does. */
  | { readonly name: 'evalScript'; readonly source: string }

/** A command as it stands in the file. */
export interface Command {
  /** The key in the file. */
  readonly key: CommandKey
  readonly place: Place
  /** Its line in the file, for people. */
  readonly written: string
  readonly label?: string | undefined
  readonly optional: boolean
  /** Checked when it was read; its texts may hold `${...}`. */
  readonly params: Params
}

export interface FlowConfig {
  readonly appId?: string | undefined
  /** A flow with a URL is one for a browser. */
  readonly url?: string | undefined
  readonly name?: string | undefined
  readonly tags: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly onFlowStart: readonly Command[]
  readonly onFlowComplete: readonly Command[]
  readonly properties: Readonly<Record<string, string>>
  readonly usesWebViewHierarchy: boolean
}

export interface Flow {
  /** Absolute path; of a flow that was given as text, a name in angle brackets. */
  readonly file: string
  readonly config: FlowConfig
  readonly commands: readonly Command[]
}

/** The part of a flow that a plan needs: the commands of thousands of flows would not fit into memory. */
export interface FlowOutline {
  readonly file: string
  readonly config: Pick<FlowConfig, 'appId' | 'url' | 'name' | 'tags' | 'properties'>
}

/** Evaluates what `${...}` holds in a text; throws a ScriptFailure. */
export type Interpolate = (text: string, options?: InterpolateOptions) => Promise<string>

export interface InterpolateOptions {
  /** The flow asks whether there is a value: none is no fault. */
  readonly mayLackValue?: boolean | undefined
}
