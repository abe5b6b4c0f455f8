// Checks live whether a page can embed the journey, and shows what prevents it.

import type { ApplicationView, OriginCheck } from '@lendloom/wire/console/developers'
import type { EmbedFinding } from '@lendloom/wire/console/lists'
import { useSignal } from '@preact/signals'
import { post } from '../api.ts'
import { ofTenant } from '../session.ts'
import { Badge } from '../ui/components.tsx'
import { Field, Form, useTyped } from '../ui/form.tsx'

export function EmbedChecker({ application: { applicationId, origins } }: { application: ApplicationView }) {
  const { act, bind, typed } = useTyped({ url: origins.find((each) => !each.includes('*')) ?? '' })
  const result = useSignal<OriginCheck | null>(null)
  async function submit(): Promise<void> {
    result.value = null
    result.value = await post<OriginCheck>(ofTenant(`/developers/applications/${applicationId}/embed-check`), typed)
  }
  return (
    <section class="card">
      <h2>Check a page</h2>
      <Form act={act} onSubmit={submit} button="Check the page" isSecondary>
        <Field
          label="Page address"
          hint="Whether it can embed the hosted page. We fetch it once, without signing in, and read its headers."
          required
          {...bind('url')}
        />
      </Form>
      {result.value && <Findings check={result.value} />}
    </section>
  )
}

const Findings = ({ check: { findings } }: { check: OriginCheck }) => (
  <ul class="findings" role="status">
    {findings.map(({ code, isFine, about }) => (
      <li key={code}>
        <Badge tone={isFine ? 'good' : 'bad'}>{isFine ? 'OK' : 'Blocked'}</Badge>
        <span>{code === 'secure' && isFine && about ? localHttpText : findingTexts[code][isFine ? 0 : 1]}</span>
        {about && <code class="small">{about}</code>}
      </li>
    ))}
  </ul>
)

const localHttpText =
  'It is served over http, which browsers allow only on this machine, for tests in the sandbox. Everywhere else it needs https.'

const findingTexts: Record<EmbedFinding, readonly [fine: string, wrong: string]> = {
  allowed: ['Its origin is in the list.', 'Its origin is not in the list. Add it and save.'],
  secure: ['It is served over https.', 'It is not served over https: cameras and sign-ins will not work.'],
  reachable: ['It responds.', 'We could not load it. If your page is private, check its headers yourself.'],
  'frame-policy': [
    'Its Content-Security-Policy allows our frame.',
    'Its Content-Security-Policy blocks our frame: add our origin to frame-src.',
  ],
  permissions: [
    'Its Permissions-Policy allows the frame to use camera and microphone.',
    'Its Permissions-Policy blocks camera or microphone in the frame: video KYC fails.',
  ],
  'embedder-policy': ['Its embedder policy allows our frame.', 'We do not recognize its embedder policy.'],
}
