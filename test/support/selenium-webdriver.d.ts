/** The part of selenium-webdriver that tests use: the package has no types of its own. */
declare module 'selenium-webdriver' {
  export class By {
    constructor(using: string, value: string)
    static id(value: string): By
  }
  export interface WebElement {
    sendKeys(...keys: readonly string[]): Promise<void>
    click(): Promise<void>
    getText(): Promise<string>
    getTagName(): Promise<string>
    getRect(): Promise<{ x: number; y: number; width: number; height: number }>
  }
  export interface WebDriver {
    manage(): {
      setTimeouts(timeouts: { implicit?: number }): Promise<void>
      getTimeouts(): Promise<{ implicit: number; pageLoad: number; script: number }>
    }
    navigate(): { back(): Promise<void> }
    findElement(by: By): WebElement & Promise<WebElement>
    findElements(by: By): Promise<WebElement[]>
    wait(condition: Located, timeoutMs: number): Promise<WebElement>
    takeScreenshot(): Promise<string>
    quit(): Promise<void>
  }
  export interface Located {
    description(): string
  }
  export const until: { elementLocated(by: By): Located }
  export class Builder {
    usingServer(url: string): this
    withCapabilities(capabilities: Readonly<Record<string, unknown>>): this
    build(): Promise<WebDriver>
  }
  export const error: {
    NoSuchElementError: new () => Error
    StaleElementReferenceError: new () => Error
  }
}
