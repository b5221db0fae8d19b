/** The id of a session or of a lease where it says who, and is not to be copied. */
import type { Page } from './page.ts'

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const FIRST_CHARS = 8
const LAST_CHARS = 4

/** `0199f2b4…7e10`: ids of one moment begin alike. Other text stays as it is, and a pipe cuts nothing. */
export const shortId = ({ width }: Pick<Page, 'width'>, id: string): string =>
  width !== undefined && ID.test(id) ? `${id.slice(0, FIRST_CHARS)}…${id.slice(-LAST_CHARS)}` : id
