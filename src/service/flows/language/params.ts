/** The parameters of a command as the file has them: checked, but not evaluated. */
import type { Command, LaunchArguments, Place } from './command.ts'

export interface TextParam {
  readonly kind: 'text'
  readonly text: string
  readonly place: Place
}

export const SELECTOR_TEXTS = [
  ...(['text', 'id', 'css', 'width', 'height', 'tolerance', 'enabled', 'selected', 'checked', 'focused'] as const),
  ...(['traits', 'index'] as const),
] as const
export type SelectorText = (typeof SELECTOR_TEXTS)[number]

export const SELECTOR_RELATIONS = ['below', 'above', 'leftOf', 'rightOf', 'childOf', 'containsChild'] as const
export type SelectorRelation = (typeof SELECTOR_RELATIONS)[number]

/** A selector whose texts, numbers and flags may hold `${...}`. */
export interface SelectorSource {
  readonly texts: Readonly<Partial<Record<SelectorText, TextParam>>>
  readonly relations: Readonly<Partial<Record<SelectorRelation, SelectorSource>>>
  readonly containsDescendants?: readonly SelectorSource[] | undefined
}

export interface ConditionSource {
  readonly platform?: TextParam | undefined
  readonly visible?: SelectorSource | undefined
  readonly notVisible?: SelectorSource | undefined
  readonly isTrue?: TextParam | undefined
}

export type Param =
  | TextParam
  | { readonly kind: 'selector'; readonly selector: SelectorSource }
  | { readonly kind: 'commands'; readonly commands: readonly Command[] }
  | { readonly kind: 'condition'; readonly condition: ConditionSource }
  | { readonly kind: 'texts'; readonly texts: readonly TextParam[] }
  | { readonly kind: 'env'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'permissions'; readonly states: readonly PermissionSource[] }
  | { readonly kind: 'arguments'; readonly values: LaunchArguments }

export interface PermissionSource {
  readonly name: string
  readonly state: TextParam
}

export type Params = Readonly<Record<string, Param>>

/** Holds an expression that is evaluated when the command's turn comes. */
export const isDynamic = (text: string): boolean => text.includes('${')
