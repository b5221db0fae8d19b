/** The resource ids that a caller may mean by one without its package. */

const WHOLE_ID = /^[a-zA-Z_][\w.]*:id\/\S+$/

/** With a package, that id alone; else of the app in front, of Android, or bare, as Compose gives them. */
export const resourceIdsOf = (id: string, foregroundPackage: string): readonly string[] =>
  WHOLE_ID.test(id) ? [id] : [`${foregroundPackage}:id/${id}`, `android:id/${id}`, id]
