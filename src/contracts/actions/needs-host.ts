/** Tells the actions that operator apps do not know in full. */
import { MATCHER_PARAMS } from '../executions/matcher.ts'
import { isObject } from '../json/json.ts'
import { cardOf } from './cards.ts'

/** The keys that every operator app knows. */
const OPERATOR_KEYS: readonly string[] = [
  'resourceId',
  'role',
  'textEquals',
  'textContains',
  'contentDescEquals',
  'contentDescContains',
]

/** An operator app takes points in pixels, and knows no unit. */
const hasUnit = (params: object): boolean =>
  ['start', 'end'].some(key => {
    const point: unknown = Reflect.get(params, key)
    return isObject(point) && 'unit' in point
  })

/** True for an action that the host performs over an operator app, for the app knows not all of its params. */
export const needsHost = ({ type, params }: { type: string; params?: object | undefined }): boolean =>
  params !== undefined &&
  (cardOf(type)?.hostParams?.some(param => param in params) ||
    (type === 'swipe' && hasUnit(params)) ||
    MATCHER_PARAMS.some(param => {
      const matcher: unknown = Reflect.get(params, param)
      return isObject(matcher) && Object.keys(matcher).some(key => key !== 'ref' && !OPERATOR_KEYS.includes(key))
    }))
