/** The facts of one action beside the shape of its params, as plain data: the quick half of the command line loads it, too. */
import type { Action, ActionType } from '../executions/action.ts'
import type { FailureCode } from '../failures/failures.ts'

/** Not judged yet, or recorded by another version: anything may stand there. */
export type AnyParams = Readonly<Record<string, unknown>>

export type ParamsOf = { [A in Action as A['type']]: A['params'] }

export type StepData = Readonly<Record<string, string>>

/**
 * `operator`: whichever operator is chosen. `screen`: the host, on the screen as the operator sees it. `link`: the host, over
 * the link, with shell rights.
 */
export type PerformedBy = 'operator' | 'screen' | 'link'

/** Further types that a step does, as rules of the policy see it, by its params. */
export interface AddedActs {
  /** The name of the step says it too, so a rule that allows the step allows it. */
  readonly contained?: readonly ActionType[]
  /** An option of the step adds it: it must be allowed for itself. */
  readonly optional?: readonly ActionType[]
}

/** The facts of a step beside its data. */
export interface StepTarget {
  /** The node or the point that was acted on, as its caller named it: `"Wi-Fi"`, `@12.7`, `5 200`; empty where it is not known. */
  node: string
  /** The node was clicked once it was found. */
  isClicked?: boolean
  /** To which a permission was set. */
  state?: string | undefined
  /** The line says how long all of it took. */
  isTimed?: boolean
}

export interface ActionCard<T extends ActionType> {
  /** `looks`: it changes nothing on the device. `moves`: it changes what is in view, and nothing else. */
  readonly effect: 'looks' | 'moves' | 'acts'
  /** `safe`: it does not matter if it ran, so svc may perform it again by itself. */
  readonly repeat: 'safe' | 'never'
  readonly by: PerformedBy | ((params: ParamsOf[T]) => PerformedBy)
  /** Operator apps do not know these params: with one of them the host performs the step, and the app only its gestures. */
  readonly hostParams?: readonly string[]
  /** Only an operator app can perform it. */
  readonly needsApp?: true
  /** True for a step that is done to the application in front. */
  readonly touchesFront: boolean | ((params: ParamsOf[T]) => boolean)
  /** The screen stays as it is, and no time passes that counts. */
  readonly isStill?: true
  /** The application that the params name. */
  readonly appOf?: (params: ParamsOf[T]) => string | undefined
  /** Its files, or the page that it finds, say which application it is for. */
  readonly hasUnknownApp?: (params: ParamsOf[T]) => boolean
  /** Every step of the type does what these types do. */
  readonly contains?: readonly ActionType[]
  readonly adds?: (params: ParamsOf[T]) => AddedActs
  /** A step that failed may have acted all the same; others that failed have not. */
  readonly mayActAndFail?: (params: ParamsOf[T], code: string | undefined) => boolean
  /** The keys of the step's data. */
  readonly data: readonly string[]
  /** Keys that it has only where there is something to say. */
  readonly notes?: readonly string[]
  /** The codes that `data.error` of the step may hold. */
  readonly failures: readonly FailureCode[]
  /** A person would say it so. A typed text is not among the words: lists show them to whoever passes by. */
  readonly words: (params: AnyParams) => string
  /** The same of a step that has succeeded, from its data. */
  readonly done: (data: StepData, target: StepTarget) => string
  /** Every execution may begin and end with it, so titles name it last. */
  readonly isAside?: true
}

export type Cards = { readonly [T in ActionType]: ActionCard<T> }
