// The appearance of an application's hosted page: a form with a live preview.

import type { Applications } from '@lendloom/wire/console/developers'
import { corners, fonts, maxLogoBytes, maxThemeNameLength } from '@lendloom/wire/console/lists'
import type { ThemeView } from '@lendloom/wire/console/theme'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { put } from '../api.ts'
import { ofTenant, tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { Badge, Loading, Trouble } from '../ui/components.tsx'
import { Choice, Field, Form, useForm } from '../ui/form.tsx'
import { useResource } from '../ui/list.tsx'
import { canManage } from './access.ts'
import { AppearanceResult } from './appearance-footer.tsx'
import { type LogoPicture, readLogo } from './appearance-logo.ts'
import { Preview } from './appearance-preview.tsx'

export function Appearance() {
  const { value, error, reload } = useResource<Applications>('/developers/applications', { tenantId: tenantId.value })
  const chosenId = useSignal('')
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value) return <Loading rows={3} />
  const id = chosenId.value || value.items[0]?.applicationId
  if (!id) return null
  return (
    <>
      {value.items.length > 1 && (
        <div class="narrow-field">
          <Choice
            label="Application"
            value={id}
            options={value.items.map(({ applicationId, name }) => [applicationId, name])}
            onValue={(next) => assign(chosenId, next)}
          />
        </div>
      )}
      <ApplicationTheme key={id} applicationId={id} />
    </>
  )
}

function ApplicationTheme({ applicationId }: { applicationId: string }) {
  const { value, error, reload } = useResource<ThemeView>(`/developers/applications/${applicationId}/theme`, {
    tenantId: tenantId.value,
  })
  const savedTheme = useSignal<ThemeView | null>(null)
  /** Key of the form; a new key resets it after each save. */
  const formKey = useSignal(0)
  const savedMessage = useSignal('')
  if (error && !value) return <Trouble error={error} retry={reload} />
  const theme = savedTheme.value ?? value
  if (!theme) return <Loading rows={5} />
  const showResult = (next: ThemeView, text: string) => {
    savedTheme.value = next
    savedMessage.value = text
    formKey.value++
  }
  return (
    <ThemeForm
      key={formKey.value}
      theme={theme}
      message={savedMessage.value}
      showResult={showResult}
      clearMessage={() => assign(savedMessage, '')}
    />
  )
}

interface ThemeFormProps {
  theme: ThemeView
  message: string
  showResult(next: ThemeView, message: string): void
  clearMessage(): void
}

const cornerNames = { square: 'Square', soft: 'Soft', round: 'Round' } as const
const fontNames = {
  system: 'System – the phone’s own font',
  humanist: 'Humanist – open and friendly',
  rounded: 'Rounded – soft',
  serif: 'Serif – classic',
  mono: 'Monospaced – technical',
} as const

/** Sets a choice and hides the message about the last save. */
const settingWith =
  (clearMessage: () => void) =>
  <T,>(signal: { value: T }) =>
  (value: T) => {
    signal.value = value
    clearMessage()
  }

interface FontProps {
  value: ThemeView['font']
  fault: string | undefined
  onValue(value: ThemeView['font']): void
}

const FontField = ({ value, fault, onValue }: FontProps) => (
  <Choice
    label="Font"
    value={value}
    options={fonts.map((each) => [each, fontNames[each]])}
    fault={fault}
    onValue={(next) => onValue(fonts.find((each) => each === next) ?? 'system')}
  />
)

const AppearanceState = ({ isOwn }: { isOwn: boolean }) => (
  <p class="state">
    {isOwn ? <Badge tone="good">Custom appearance</Badge> : <Badge tone="plain">Default appearance</Badge>}
  </p>
)

function ThemeForm({ theme, message, showResult, clearMessage }: ThemeFormProps) {
  const name = useSignal(theme.name)
  const accent = useSignal(theme.accent)
  const corner = useSignal(theme.corner)
  const font = useSignal(theme.font)
  const logo = useSignal<LogoPicture | null>(theme.logo && { ...theme.logo, data: null })
  const act = useForm(['name', 'accent', 'corner', 'font', 'logo'])
  const path = ofTenant(`/developers/applications/${theme.applicationId}/theme`)
  const mayChange = canManage()

  async function submit(): Promise<void> {
    const file = logo.value === null ? { logo: null } : logo.value.data === null ? {} : { logo: logo.value.data }
    const body = { name: name.value, accent: accent.value, corner: corner.value, font: font.value, ...file }
    showResult(await put<ThemeView>(path, body), 'Saved. Pages opened from now on look like this.')
  }
  const change = settingWith(clearMessage)
  return (
    <div class="appearance">
      <div class="card">
        <AppearanceState isOwn={theme.isOwn} />
        <Form act={act} onSubmit={submit} button="Save the appearance">
          <Field
            label="Name on the page"
            hint={`At most ${maxThemeNameLength} characters. “powered by Lendloom” stays below it.`}
            value={name.value}
            readOnly={!mayChange}
            fault={act.faults.name}
            onValue={change(name)}
          />
          <LogoField logo={logo.value} fault={act.faults.logo} readOnly={!mayChange} onLogo={change(logo)} />
          <ColourField value={accent.value} fault={act.faults.accent} readOnly={!mayChange} onValue={change(accent)} />
          <Corners value={corner.value} readOnly={!mayChange} onValue={change(corner)} />
          <FontField value={font.value} fault={act.faults.font} onValue={change(font)} />
        </Form>
        <AppearanceResult message={message} showResult={showResult} path={path} mayReset={theme.isOwn && mayChange} />
      </div>
      <Preview
        applicationId={theme.applicationId}
        name={name.value}
        logo={logo.value}
        choices={{ accent: accent.value, corner: corner.value, font: font.value }}
      />
    </div>
  )
}

function ColourField({
  value,
  fault,
  readOnly,
  onValue,
}: {
  value: string
  fault: string | undefined
  readOnly: boolean
  onValue(value: string): void
}) {
  return (
    <div class="colour">
      <Field
        label="Accent colour"
        hint="Six hexadecimal digits, such as #1f4f8f. If it is too pale to read, text uses a darker shade."
        value={value}
        readOnly={readOnly}
        fault={fault}
        onValue={(next) => onValue(next.trim())}
      />
      <input
        type="color"
        aria-label="Pick the accent colour"
        disabled={readOnly}
        value={/^#[0-9a-f]{6}$/i.test(value) ? value : undefined}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </div>
  )
}

function Corners({
  value,
  readOnly,
  onValue,
}: {
  value: ThemeView['corner']
  readOnly: boolean
  onValue(value: ThemeView['corner']): void
}) {
  const name = useId()
  return (
    <fieldset class="corners" disabled={readOnly}>
      <legend>Corners</legend>
      {corners.map((each) => (
        <label key={each} class={each}>
          <input type="radio" name={name} checked={each === value} onChange={() => onValue(each)} />
          <span aria-hidden="true" />
          {cornerNames[each]}
        </label>
      ))}
    </fieldset>
  )
}

interface LogoFieldProps {
  logo: LogoPicture | null
  fault: string | undefined
  readOnly: boolean
  onLogo(logo: LogoPicture | null): void
}

function LogoField({ logo, fault, readOnly, onLogo }: LogoFieldProps) {
  const id = useId()
  const problem = useSignal<string | undefined>(undefined)
  async function read(file: File | undefined): Promise<void> {
    if (!file) return
    problem.value = file.size > maxLogoBytes ? `has ${Math.ceil(file.size / 1000)} kB; the limit is 100 kB` : undefined
    if (problem.value) return
    try {
      onLogo(await readLogo(file))
    } catch {
      problem.value = 'is not an image that this browser can display'
    }
  }
  const shownFault = problem.value ?? fault
  return (
    <div class="field">
      <label htmlFor={id}>Logo</label>
      <p id={`${id}-hint`} class="hint">
        PNG, SVG or WebP, at most 100 kB. A logo more than twice as wide as it is high replaces the name.
      </p>
      <div class="logo-row">
        {logo && (
          <span class="plate">
            <img src={logo.url} alt="The logo" />
          </span>
        )}
        {!readOnly && (
          <input
            id={id}
            type="file"
            accept="image/png,image/svg+xml,image/webp"
            aria-describedby={`${id}-hint`}
            aria-invalid={shownFault ? true : undefined}
            onChange={(event) => void read(event.currentTarget.files?.[0])}
          />
        )}
        {logo && !readOnly && (
          <button type="button" class="secondary small" onClick={() => onLogo(null)}>
            Remove
          </button>
        )}
      </div>
      {shownFault && <p class="fault">Logo {shownFault}</p>}
    </div>
  )
}
