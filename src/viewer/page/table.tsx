/** Parts of the tables of executions and of skill runs. */

/** A row leads where its link leads. */
export const open = (href: string) => (event: MouseEvent) => {
  if (!(event.target instanceof Element) || event.target.closest('a')) return
  location.hash = href
}

export const Head = ({ columns }: { columns: readonly string[] }) => (
  <thead>
    <tr>
      {columns.map(column => (
        <th key={column} scope="col">
          {column}
        </th>
      ))}
    </tr>
  </thead>
)
