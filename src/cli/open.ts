// `lendloom open`: opens a page of the console in the browser.
import { CannotRun, command } from './command.ts'
import { contextOf } from './contexts.ts'
import { dataDirectory, runOf } from './installation.ts'
import { openPage } from './open-page.ts'

export const open = command({
  name: 'open',
  summary: 'open the console, or a page of it such as webhooks or journeys/<journeyId>',
  usage: '[<page>]',
  options: {},
  async run({ args, env }) {
    const platformUrl = contextOf(env)?.url ?? (env.PUBLIC_URL || runOf(dataDirectory(env))?.platform.url)
    if (!platformUrl) throw new CannotRun('no platform: start Lendloom (npm start) or run lendloom login <url>')
    const page = ['console', ...args.flatMap((each) => each.split('/'))].map(encodeURIComponent).join('/')
    const url = new URL(page, platformUrl).href
    openPage(url)
    return { text: url, data: { url } }
  },
})
