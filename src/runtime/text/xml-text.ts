/** Texts as XML carries them. */

/** XML 1.0 has no way to write these, not even as a reference; lone surrogates are among them (`\p{Cs}`). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNWRITABLE = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF\p{Cs}]/gu

export const writableXml = (text: string): string => text.replace(UNWRITABLE, '\uFFFD')

const REFERENCES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
  ...{ '\n': '&#10;', '\t': '&#9;', '\r': '&#13;' },
}

/** A reader turns line breaks and tabs of attributes into blanks, and carriage returns of a text into line feeds: `which` says what matters here. */
export const withReferences = (text: string, which: RegExp): string =>
  text.replace(which, found => REFERENCES[found] ?? found)
