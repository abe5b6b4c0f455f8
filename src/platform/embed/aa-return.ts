// GET /aa/return: the account aggregator sends the browser back here; it is noted, and the borrower is sent back to the application.
import { refused } from '#contract/headless/envelope.ts'
import { plainPage } from '#kit/http/front-page.ts'
import { html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import type { Api } from '#kit/http/server.ts'
import { completeFromReturn } from '#platform/aa/return.ts'
import { type Context, route } from '#platform/context.ts'
import { pageLanguage } from './page.ts'

const maybe = Type.Optional(Type.String({ maxLength: 8000 }))

const aaReturn = route({
  method: 'GET',
  path: '/aa/return',
  section: 'D2 §4',
  summary: 'Where the account aggregator sends the borrower back to',
  auth: { scheme: null, check: () => null },
  hidden: true,
  // Aggregators differ in what they add: what is not known here is not looked at.
  query: Type.Object({ ecres: maybe, resdate: maybe, fi: maybe }),
  async handle({ query, headers, at }, ctx: Context) {
    const accepted = headers['accept-language']
    const language = pageLanguage(undefined, typeof accepted === 'string' ? accepted : undefined)
    const { ecres = '', resdate = '', fi = '' } = query
    try {
      const { returnedCode } = await completeFromReturn(ctx, { ecres, resdate, fi }, at)
      return page(language, returnedCode === 0 ? 'back' : 'undecided')
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      ctx.log.warn({ why: error.message }, 'a return from the account aggregator was not taken')
      return page(language, 'unknown', 400)
    }
  },
})

export const aaApi: Api<Context> = { prefix: '/aa', routes: [aaReturn], refuse: refused }

const words = {
  en: {
    title: 'Back from the account aggregator',
    back: 'Thank you. We are checking with the account aggregator now.',
    undecided: 'You are back from the account aggregator. Your application shows how it goes on.',
    unknown: 'We could not read this answer. Your application shows how it stands.',
    close: 'You can close this window and go back to your application.',
  },
  hi: {
    title: 'अकाउंट एग्रीगेटर से वापसी',
    back: 'धन्यवाद। हम अब अकाउंट एग्रीगेटर से पुष्टि कर रहे हैं।',
    undecided: 'आप अकाउंट एग्रीगेटर से लौट आए हैं। आगे क्या होगा, यह आपके आवेदन में दिखेगा।',
    unknown: 'हम यह उत्तर पढ़ नहीं सके। स्थिति आपके आवेदन में दिखेगी।',
    close: 'आप यह विंडो बंद करके अपने आवेदन पर लौट सकते हैं।',
  },
} as const

/** It says what was received, never that anything was given: that is the aggregator's to tell us. */
function page(language: 'en' | 'hi', said: 'back' | 'undecided' | 'unknown', status = 200) {
  const { title, close, [said]: text } = words[language]
  return plainPage({ language, title, body: html`<p role="status">${text}</p><p>${close}</p>`, status })
}
