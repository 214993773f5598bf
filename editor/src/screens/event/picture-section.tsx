import { useEventMessages } from './messages/messages.ts'
import { PictureField } from './picture-field.tsx'
import { Section, type SectionProps } from './section.tsx'

export function PictureSection({ values: { image }, errors, isDisabled, onChange }: SectionProps) {
  const { picture: texts } = useEventMessages()
  return (
    <Section title={texts.section}>
      <PictureField
        value={image}
        error={errors.image}
        isDisabled={isDisabled}
        onChange={(image) => onChange({ image })}
      />
    </Section>
  )
}
