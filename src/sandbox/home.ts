// GET /: the sandbox explains itself: who is in the sandbox, what the PAN decides, and the latest messages.
import { route } from '#sandbox/core/context.ts'
import { htmlAnswer } from '#sandbox/core/page.ts'
import { homePage } from './home-page.ts'
import { recentTraffic } from './lender/core/store.ts'
import { findParticipants } from './registry/store.ts'

export const home = route({
  method: 'GET',
  path: '/',
  section: 'operation',
  summary: 'What this sandbox plays, its rules, and its recent traffic',
  async handle(_call, { db, url }) {
    const [participants, traffic] = await Promise.all([findParticipants(db, {}), recentTraffic(db, 12)])
    return htmlAnswer(homePage(url, participants, traffic))
  },
})
