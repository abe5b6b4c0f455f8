// Values that the builds insert (`tools/web/sdk-files.ts`).
declare const LENDLOOM_VERSION: string
declare const LENDLOOM_COLOURS: Record<'light' | 'dark', { background: string; shape: string }>

/** The version of the SDK, such as `0.1.0`. */
export const version: string = LENDLOOM_VERSION

/** The colours of the skeleton, which are colours of the hosted page. */
export const colours = LENDLOOM_COLOURS
