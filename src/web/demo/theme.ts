// Light, dark, or as the system has it; kept in this browser.
import { signal } from '@preact/signals'

export const themes = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const
type Theme = (typeof themes)[number][0]
const name = 'demo-theme'

function kept(): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

export const theme = signal<Theme>(themes.find(([each]) => each === kept())?.[0] ?? 'system')

export function applyTheme(): void {
  if (theme.value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.value
}

export function chooseTheme(next: Theme): void {
  theme.value = next
  applyTheme()
  try {
    localStorage.setItem(name, next)
  } catch {
    // A browser that keeps nothing shows it until the page is left.
  }
}
