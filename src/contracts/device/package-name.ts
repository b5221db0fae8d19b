/** Android's form of a package name; another text names no package, and might be read as an option. */
const PACKAGE = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)*$/

export const isPackageName = (text: string): boolean => PACKAGE.test(text)
