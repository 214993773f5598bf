interface Props {
  readonly label: string
  readonly look?: 'primary' | 'plain'
  readonly multiple?: boolean
  readonly isDisabled: boolean
  readonly onFiles: (files: readonly File[]) => void
}

/** A button that asks for pictures. */
export function FileButton({ label, look = 'plain', multiple = false, isDisabled, onFiles }: Props) {
  return (
    <label className={`button ${look} upload`}>
      {label}
      <input
        type="file"
        className="visually-hidden"
        accept="image/jpeg,image/png,image/gif,image/webp,image/avif"
        multiple={multiple}
        disabled={isDisabled}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          // So that the same file can be chosen again.
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </label>
  )
}
