/** Messages that quote what was typed end up in logs, so passwords in URLs and secret keys are left out of them. */

/** Everything between the scheme and the last @: a malformed URL does not say where its password ends. */
const CREDENTIALS = /:\/\/[^"]*@/g
/** A seed of NATS: the first character says that it is secret. */
const SEED = /\bS[A-Z][A-Z2-7]{56}\b/g

export const withoutSecrets = (text: string): string => text.replace(CREDENTIALS, '://***@').replace(SEED, '***')
