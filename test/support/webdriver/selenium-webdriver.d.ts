/** The part of selenium-webdriver that tests use: the package has no types of its own. */
declare module 'selenium-webdriver' {
  export class By {
    constructor(using: string, value: string)
    static id(value: string): By
    static css(value: string): By
    static name(value: string): By
    static xpath(value: string): By
    static linkText(value: string): By
  }
  export interface WebElement {
    sendKeys(...keys: readonly string[]): Promise<void>
    click(): Promise<void>
    clear(): Promise<void>
    getAttribute(name: string): Promise<string | null>
    getCssValue(name: string): Promise<string>
    isDisplayed(): Promise<boolean>
    isEnabled(): Promise<boolean>
    getText(): Promise<string>
    getTagName(): Promise<string>
    getRect(): Promise<{ x: number; y: number; width: number; height: number }>
  }
  export interface WebDriver {
    manage(): {
      setTimeouts(timeouts: { implicit?: number; script?: number }): Promise<void>
      getTimeouts(): Promise<{ implicit: number; pageLoad: number; script: number }>
    }
    navigate(): { back(): Promise<void>; refresh(): Promise<void> }
    get(url: string): Promise<void>
    getTitle(): Promise<string>
    getCurrentUrl(): Promise<string>
    getWindowHandle(): Promise<string>
    getAllWindowHandles(): Promise<string[]>
    getSession(): Promise<{ getId(): string }>
    switchTo(): {
      window(handle: string): Promise<void>
      frame(frame: WebElement | number | null): Promise<void>
      defaultContent(): Promise<void>
    }
    executeScript(script: string, ...args: readonly unknown[]): Promise<unknown>
    executeAsyncScript(script: string, ...args: readonly unknown[]): Promise<unknown>
    findElement(by: By): WebElement & Promise<WebElement>
    findElements(by: By): Promise<WebElement[]>
    wait(condition: Located, timeoutMs: number): Promise<WebElement>
    takeScreenshot(): Promise<string>
    quit(): Promise<void>
  }
  export interface Located {
    description(): string
  }
  export const until: { elementLocated(by: By): Located; titleIs(title: string): Located }
  export class Builder {
    usingServer(url: string): this
    withCapabilities(capabilities: Readonly<Record<string, unknown>>): this
    build(): Promise<WebDriver>
  }
  export const error: {
    NoSuchElementError: new () => Error
    StaleElementReferenceError: new () => Error
    JavascriptError: new () => Error
    NoSuchWindowError: new () => Error
    ScriptTimeoutError: new () => Error
  }
}
