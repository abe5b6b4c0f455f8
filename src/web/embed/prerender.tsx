// The first screen as HTML, before the borrower is known: shown while scripts load.
import { renderToString } from 'preact-render-to-string'
import { App } from './app.tsx'
import { here } from './page/here.ts'
import { sessionIn } from './page/session.ts'
import { shared } from './page/shared.ts'
import { type CatalogueMessage, type Language, setLanguage } from './text.ts'

export const sharedNames: string[] = Object.keys(shared)

/** The markup of the page in a language, with its first texts, exactly as the script draws it at first. */
export function prerendered(language: Language, texts: Record<string, CatalogueMessage>): string {
  const memory = { kept: {}, keep() {}, forget() {} }
  const host = { allow() {}, relay() {}, tell() {}, opensPages: false, framed: false }
  const never = () => new Promise<never>(() => {})
  Object.assign(here, {
    session: sessionIn({ send: never, memory, host, later: () => () => {} }),
    host,
    memory,
    boot: {},
  })
  setLanguage(language, texts)
  return renderToString(<App />)
}
