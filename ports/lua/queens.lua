-- Places queens on boards that do not attack each other, and counts how many ways there are.
local function place(n, row, columns, up, down)
	if row > n then return 1 end
	local found = 0
	for c = 1, n do
		if not (columns[c] or up[row + c] or down[row - c + n]) then
			columns[c], up[row + c], down[row - c + n] = true, true, true
			found = found + place(n, row + 1, columns, up, down)
			columns[c], up[row + c], down[row - c + n] = nil, nil, nil
		end
	end
	return found
end

for n = 4, 7 do
	print(("%d queens: %d"):format(n, place(n, 1, {}, {}, {})))
end
