// GET of the rates at which gold is priced, for anybody to read.
import { route } from '#sandbox/core/context.ts'
import { htmlAnswer } from '#sandbox/core/page.ts'
import { ratesPage } from './pages.ts'

export const showGoldRates = route({
  method: 'GET',
  path: '/lenders/-/gold-rates',
  section: 'FIS12 §9.1',
  summary: 'What gold costs in this world, and how much may be lent on it',
  handle: () => htmlAnswer(ratesPage()),
})
