// The pages behind a link that was sent, in the theme of the application. Before the code they show nothing of the
// borrower or the journey but the last two digits of the number.

import { readFileSync } from 'node:fs'
import { warning } from '@lendloom/design/icons'
import { colourTokensIn, controls, styleOf } from '@lendloom/design/style'
import { type ThemedRules, themableRules, themedStyle } from '@lendloom/design/theme'
import { Html, html, icon } from '@lendloom/http/markup'
import { plainPage, plainRules } from '@lendloom/http/plain-page'
import { type Answer, answer } from '@lendloom/http/server'
import { secondsUntil } from '@lendloom/identity/guess-count'
import { businessDate } from '@lendloom/lending/calendar'
import { languageNames, languages, localeOf } from '@lendloom/lending/language'
import { brandStyle, type PageTheme, pageTheme } from '#platform/api/page/themed-page.ts'
import { webBuild } from '#platform/api/web-build.ts'
import type { Context } from '#platform/context.ts'
import { codeMinutes, linkPath, type Paused } from '#platform/integrators/access/journey-link.ts'
import { type ApplicationKey, findPage } from '#platform/integrators/access/theme/store.ts'
import type { Reader } from '#platform/lending/page-text/page-text.ts'

const ownRules = plainRules + readFileSync(new URL('./link.css', import.meta.url), 'utf8')
const plainStyle = styleOf(ownRules, 'large') + brandStyle(null)
const rules = controls + ownRules
const themed: ThemedRules = { rules: themableRules(rules), colours: colourTokensIn(rules) }

interface LinkReader extends Reader {
  /** The name of the application. */
  app: string
  theme: PageTheme | null
  /** The token in the address. */
  token: string
}

/** Adds the application of a link, whose name and theme its pages have. */
export async function linkReader(
  { db }: Pick<Context, 'db'>,
  { tenantId, applicationId }: ApplicationKey,
  reader: Reader & { token: string },
): Promise<LinkReader> {
  const page = await findPage(db, { tenantId, applicationId })
  const theme = page?.theme ? pageTheme({ tenantId, applicationId }, page.theme) : null
  return { ...reader, app: theme?.name ?? page?.name ?? '', theme }
}

interface LinkPage {
  title: string
  body: Html
  status?: number
  /** The code that the page asks for, which stays when the language is changed. */
  codeId?: string
}

function linkPage(reader: LinkReader, { title, body, status = 200, codeId }: LinkPage): Answer {
  const { language, app, theme } = reader
  const style = theme ? themedStyle(themed, theme) + brandStyle(theme.logo) : plainStyle
  return plainPage({
    language,
    title,
    status,
    style,
    formAction: 'self',
    mark: html`<p class="brand"><b>${app} </b><span>${webBuild().poweredBy[language]}</span></p>`,
    body: html`${body}${languageLinks(reader, codeId)}`,
  })
}

const languageLinks = ({ language, t }: LinkReader, codeId: string | undefined): Html =>
  html`<nav class="languages" aria-label="${t('link.languages')}">${languages.map(
    (each) =>
      html`<a href="?${queryOf(each, codeId)}" lang="${each}" hreflang="${each}"${each === language && html` aria-current="true"`}>${languageNames[each]}</a>`,
  )}</nav>`

export const queryOf = (lang: string, codeId?: string): string =>
  String(new URLSearchParams({ lang, ...(codeId !== undefined && { code: codeId }) }))

const fault = (text: string): Html => html`<p class="fault" id="fault" role="alert">${icon(warning)} ${text}</p>`

/** `codeId` is the code that may still be entered if no other one can be sent yet. */
const sendForm = ({ token, language, t }: LinkReader, label: 'link.send' | 'link.again', codeId?: string): Html =>
  html`<form method="post" action="${linkPath}/${token}/code?${queryOf(language)}">${codeId !== undefined && html`<input type="hidden" name="id" value="${codeId}">`}<button class="${label === 'link.send' ? 'primary' : 'secondary'}">${t(label)}</button></form>`

/** Offers to send a code. */
export function startPage(reader: LinkReader, digits: string): Answer {
  const { t, app } = reader
  return linkPage(reader, {
    title: t('link.title'),
    body: html`<p>${t('link.lead', { app, digits })}</p>
${sendForm(reader, 'link.send')}<p class="hint">${t('link.other')}</p>`,
  })
}

interface EntryPage {
  digits: string
  codeId: string
  /** What is wrong with the last entry. */
  wrong?: string
  /** The pause before another code can be sent, and the time. */
  paused?: { pause: Paused; at: Date }
}

/** Asks for the code. */
export function entryPage(reader: LinkReader, { digits, codeId, wrong, paused }: EntryPage): Answer {
  const { token, language, t } = reader
  return linkPage(reader, {
    title: t('link.codeTitle'),
    status: wrong !== undefined ? 422 : paused ? 429 : 200,
    codeId,
    body: html`<p>${t('link.codeLead', { digits, minutes: codeMinutes })}</p>
<form method="post" action="${linkPath}/${token}?${queryOf(language)}"><input type="hidden" name="id" value="${codeId}">
<label for="code">${t('link.code')}</label><input class="code" id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="12" required autofocus${wrong !== undefined && html` aria-invalid="true"`} aria-describedby="${wrong !== undefined && new Html('fault ')}secret">${wrong !== undefined && fault(wrong)}
<p class="hint" id="secret">${t('link.secret')}</p><button class="primary">${t('link.open')}</button></form>
${paused ? html`<p class="notice" role="status">${pauseText(reader, paused.pause, paused.at)}</p>` : sendForm(reader, 'link.again', codeId)}`,
  })
}

/** Says that a code can no longer be entered, and offers another one. */
export const spentPage = (reader: LinkReader): Answer =>
  linkPage(reader, {
    title: reader.t('link.title'),
    status: 422,
    body: html`${fault(reader.t('link.spent'))}${sendForm(reader, 'link.again')}`,
  })

/** Says until when nothing can be sent or entered. */
export function pausePage(reader: LinkReader, paused: Paused, at: Date): Answer {
  const { t } = reader
  const { status, body, headers } = linkPage(reader, {
    title: t('link.title'),
    status: 429,
    body: fault(pauseText(reader, paused, at)),
  })
  const seconds = secondsUntil(paused.pausedUntil, at)
  return answer(status, body, { ...headers, 'retry-after': String(seconds) })
}

const pauseText = ({ t, language }: LinkReader, { pausedUntil, isForTries }: Paused, at: Date): string =>
  t(isForTries ? 'link.waitTries' : 'link.waitCode', { time: timeText(pausedUntil, localeOf(language), at) })

const minuteMs = 60_000

/** The full minute after an instant, in India's time; with the date if that is not today. */
function timeText(instant: Date, locale: string, at: Date): string {
  const minute = new Date(Math.ceil(instant.getTime() / minuteMs) * minuteMs)
  const options: Intl.DateTimeFormatOptions = { timeStyle: 'short', timeZone: 'Asia/Kolkata' }
  if (businessDate(minute) !== businessDate(at)) options.dateStyle = 'medium'
  // On one line, so that the end of the time is not alone on the next.
  return new Intl.DateTimeFormat(locale, options).format(minute).replace(/\s/g, '\u00a0')
}

/** The same for unknown, expired, revoked and used-up links, so that it tells nothing about a link. */
export const gonePage = ({ language, t }: Reader): Answer =>
  plainPage({
    language,
    status: 404,
    style: plainStyle,
    mark: html`<p class="brand"><b>Lendloom</b></p>`,
    title: t('link.goneTitle'),
    body: t('link.gone'),
  })
