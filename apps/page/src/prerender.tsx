// Renders the first screen as HTML, which is shown while scripts load.
import { signal } from '@preact/signals'
import { renderToString } from 'preact-render-to-string'
import { App } from './app.tsx'
import { type EmbedPage, page } from './page/page-state.ts'
import { sessionIn } from './page/session.ts'
import { type CatalogueMessage, type Language, setLanguage } from './text.ts'

/** The page's initial markup in a language. Must equal the script's first rendering, which hydrates it. */
export function prerenderPage(language: Language, texts: Record<string, CatalogueMessage>): string {
  const memory = { stored: {}, update() {}, forget() {} }
  const host = { allow() {}, relay() {}, send() {}, opensPages: false, framed: false }
  const neverAnswers = () => new Promise<never>(() => {})
  Object.assign(page, {
    session: sessionIn({ send: neverAnswers, memory, host, schedule: () => () => {} }),
    host,
    memory,
    boot: {},
    openPayment: signal<string | null>(null),
    titles: signal(0),
  } satisfies Partial<Record<keyof EmbedPage, unknown>>)
  setLanguage(language, texts)
  return renderToString(<App />)
}
