// `lendloom open`: opens a page of the console in the browser.
import { command } from './command.ts'
import { platformUrlOf } from './contexts.ts'
import { openPage } from './open-page.ts'

export const open = command({
  name: 'open',
  summary: 'open the console, or a page of it such as webhooks or journeys/<journeyId>',
  usage: '[<page>]',
  options: {},
  async run({ args, env }) {
    const page = ['console', ...args.flatMap((each) => each.split('/'))].map(encodeURIComponent).join('/')
    const url = new URL(page, platformUrlOf(env)).href
    openPage(url)
    return { text: url, data: { url } }
  },
})
