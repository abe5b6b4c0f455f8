// Where the privacy policy is, in the language of the page.
import { language } from '../text.ts'

export const policyUrl = (): string => `${location.origin}/lab/privacy?lang=${language.value}`
