/** The parts of a validator's issue that more than one explainer reads. */
import type * as v from 'valibot'

export type Issue = v.BaseIssue<unknown>

export const issuePath = ({ path }: Issue): PropertyKey[] => path?.map(({ key }) => key as PropertyKey) ?? []

/** The words of a picklist; they stand in its issue as text alone. */
export const issueOptions = ({ expected }: Issue): string[] =>
  [...(expected ?? '').matchAll(/"([^"]*)"/g)].map(([, word = '']) => word)

/** A key that the object does not have. */
export const isUnknownKey = ({ type, expected }: Issue): boolean => type === 'strict_object' && expected === 'never'
