// Preview of a theme: the hosted page's first screen in a light and a dark frame, and the computed contrasts.

import type { ContrastView, ThemeChoices, ThemeEffect } from '@lendloom/wire/console/theme'
import { logoSize } from '@lendloom/wire/hosted/color-scheme'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError, post, queryText } from '../api.ts'
import { ofTenant, tenantId } from '../session.ts'
import { Badge } from '../ui/components.tsx'
import type { LogoPicture } from './appearance-logo.ts'

interface PreviewProps {
  applicationId: string
  name: string
  logo: LogoPicture | null
  choices: ThemeChoices
}

type Tone = 'light' | 'dark'
const tones = [
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

export function Preview({ applicationId, name, logo, choices }: PreviewProps) {
  const computed = useComputedTheme(applicationId, choices)
  return (
    <section class="preview" aria-label="Preview">
      <div class="phones">
        {tones.map(([tone, label]) => (
          <figure key={tone}>
            <figcaption>{label}</figcaption>
            <Phone
              applicationId={applicationId}
              tone={tone}
              name={name}
              logo={logo}
              computed={computed}
              label={label}
            />
          </figure>
        ))}
      </div>
      {computed && <Contrasts accent={choices.accent} contrasts={computed.contrasts} />}
    </section>
  )
}

/** Computes the theme of the choices; keeps the last one while a colour is incomplete. */
function useComputedTheme(applicationId: string, choices: ThemeChoices): ThemeEffect | null {
  const computed = useSignal<ThemeEffect | null>(null)
  const key = JSON.stringify(choices)
  useEffect(() => {
    let isLatest = true
    // Debounced, because dragging in the colour picker changes the value continuously.
    const timer = setTimeout(async () => {
      try {
        const result = await post<ThemeEffect>(
          ofTenant(`/developers/applications/${applicationId}/theme/effect`),
          choices,
        )
        if (isLatest) computed.value = result
      } catch (error) {
        // An incomplete colour leaves the preview unchanged; saving reports the error.
        if (!(error instanceof ApiError)) throw error
      }
    }, 80)
    return () => {
      isLatest = false
      clearTimeout(timer)
    }
  }, [key])
  return computed.value
}

interface PhoneProps extends Omit<PreviewProps, 'choices'> {
  tone: Tone
  label: string
  computed: ThemeEffect | null
}

function Phone({ applicationId, tone, label, name, logo, computed }: PhoneProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  // A counter, so that the theme is applied again if the frame loads after the last input.
  const loadCount = useSignal(0)
  const page = loadCount.value > 0 ? frame.current?.contentDocument : null
  useEffect(() => {
    if (page) applyThemeTo(page, { tone, name, logo, computed })
  })
  const query = queryText({ tenantId: tenantId.value, tone })
  return (
    <div class="phone">
      <iframe
        ref={frame}
        title={`Preview, ${label.toLowerCase()}`}
        sandbox="allow-same-origin"
        tabIndex={-1}
        src={`/api/console/developers/applications/${applicationId}/theme/preview${query}`}
        onLoad={() => {
          loadCount.value++
        }}
      />
    </div>
  )
}

/** Applies the theme to the framed page by its CSS variables. */
function applyThemeTo(
  page: Document,
  { tone, name, logo, computed }: Pick<PhoneProps, 'tone' | 'name' | 'logo' | 'computed'>,
): void {
  const root = page.documentElement
  for (const [token, value] of Object.entries(computed?.[tone] ?? {})) root.style.setProperty(token, value)
  if (computed) root.style.setProperty('--font', computed.font)
  const brand = page.querySelector<HTMLElement>('.brand')
  const brandName = brand?.querySelector('b')
  if (!brand || !brandName) return
  brandName.textContent = name
  const size = logo && logoSize(logo)
  root.dataset.logo = size?.kind ?? 'none'
  brand.style.setProperty('--logo', logo ? `url("${logo.url}")` : 'none')
  brand.style.setProperty('--logo-width', `${size?.width ?? 0}px`)
  brand.style.setProperty('--logo-height', `${size?.height ?? 0}px`)
}

const contrastLabels: Record<ContrastView['what'], string> = {
  WORDS: 'Links and headings',
  BUTTON: 'Text on a button',
  EDGE: 'Edge of a button',
}

function Contrasts({ accent, contrasts }: { accent: string; contrasts: ContrastView[] }) {
  const adjusted = contrasts.filter(({ what, colour }) => what === 'WORDS' && colour !== accent.toLowerCase())
  return (
    <>
      {adjusted.length > 0 && (
        <p class="notice moved">
          Your colour <Swatch colour={accent} /> is hard to read in places, so links and headings use the nearest
          legible shade:{' '}
          {adjusted.map(({ tone, colour }, i) => (
            <span key={tone}>
              {i > 0 && ', '}
              <Swatch colour={colour} /> on {tone} pages
            </span>
          ))}
          . Buttons keep your colour.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section class="table" aria-label="Contrasts" tabIndex={0}>
        <table aria-label="Contrasts, computed by WCAG 2.2">
          <thead>
            <tr>
              <th scope="col">Contrast</th>
              <th scope="col">Light</th>
              <th scope="col">Dark</th>
              <th scope="col">Minimum</th>
            </tr>
          </thead>
          <tbody>
            {(['WORDS', 'BUTTON', 'EDGE'] as const).map((what) => (
              <tr key={what}>
                <th scope="row">{contrastLabels[what]}</th>
                {contrasts
                  .filter((each) => each.what === what)
                  .map(({ tone, colour, on, contrast }) => (
                    <td key={tone}>
                      <Pair colour={colour} on={on} /> <Badge tone="good">{contrast.toFixed(1)} : 1</Badge>
                    </td>
                  ))}
                <td>{contrasts.find((each) => each.what === what)?.needed.toFixed(1)} : 1</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

const Swatch = ({ colour }: { colour: string }) => (
  <span class="swatch">
    <span aria-hidden="true" style={{ background: colour }} />
    <code>{colour}</code>
  </span>
)

const Pair = ({ colour, on }: { colour: string; on: string }) => (
  <span class="pair" aria-hidden="true" title={`${colour} on ${on}`} style={{ color: colour, background: on }}>
    Aa
  </span>
)
